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

// The choice of user closes by Escape, and by a click elsewhere.
const account = document.querySelector('details.account');
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !account?.open) return;
  account.open = false;
  account.querySelector('summary').focus();
});
document.addEventListener('click', ({ target }) => {
  if (account?.open && !account.contains(target)) account.open = false;
});
