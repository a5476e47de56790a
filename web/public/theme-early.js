// Sets a theme that the link or the reader chose before anything is painted, so that the page does not
// flash. The page itself (src/pages) keeps it from then on; the key is that of src/state/remember.ts.
(() => {
  let theme = /[#&]theme=(light|dark)(?:&|$)/.exec(location.hash)?.[1];
  try {
    theme ??= JSON.parse(localStorage.getItem('headlights.preferences') ?? '{}').theme;
  } catch {
    // No storage here.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
