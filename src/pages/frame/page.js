// In the browser: the little that HTML doesn't do by itself.

// A button with data-copy copies the text of the element that it names, and says so.
async function copy({ target }) {
  const button = target.closest('button[data-copy]');
  if (button === null) return;
  const { textContent: label, dataset } = button;
  try {
    await navigator.clipboard.writeText(document.getElementById(dataset.copy).textContent);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Select and copy';
  }
  setTimeout(() => (button.textContent = label), 2000);
}
document.addEventListener('click', (event) => void copy(event));

// The menus of the header close by Escape, and by a click elsewhere, which another menu is too.
const close = (isOutside) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (!isOutside(menu)) continue;
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus();
    menu.open = false;
  }
};
document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(() => true));
document.addEventListener('click', ({ target }) => close((menu) => !menu.contains(target)));
