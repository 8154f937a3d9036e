// In the browser: the little that HTML doesn't do by itself.

// A button with data-copy copies the text of the element that it names, and says so.
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-copy]') : null;
  if (button !== null) void copy(button);
});

async function copy(button) {
  const text = document.getElementById(button.dataset.copy)?.textContent ?? '';
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Select and copy';
  }
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}

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
