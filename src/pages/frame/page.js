// In the browser: the little that HTML doesn't do by itself.

// A button with data-copy copies the text of the element that it names, and says so. By the selection: navigator.clipboard
// is missing on pages that came by http from another machine.
document.addEventListener('click', ({ target }) => {
  const button = target.closest('button[data-copy]');
  if (button === null) return;
  const { textContent: label, dataset } = button;
  getSelection().selectAllChildren(document.getElementById(dataset.copy));
  button.textContent = document.execCommand('copy') ? 'Copied' : 'Select and copy';
  setTimeout(() => (button.textContent = label), 2000);
});

// Why a form was refused is where the reading goes on.
document.querySelector('main :is([aria-invalid], [role=alert][tabindex])')?.focus();

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
