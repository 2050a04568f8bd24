// The link past the bar at the top moves the focus alone: the address may be that of a game.
addEventListener("click", (event) => {
  const skip = event.target.closest("a.hidden[href^='#']");
  if (!skip) return;
  event.preventDefault();
  const to = document.querySelector(skip.hash);
  to.tabIndex = -1;
  to.focus();
});
