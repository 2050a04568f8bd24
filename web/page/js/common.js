// What all pages do at a click: the meaning of a word, and the link past the bar at the top.

// A word of the glossary on a screen without a mouse: the first tap shows its meaning, which a mouse
// shows as the tooltip of the link.
{
  const meaning = document.createElement("div");
  Object.assign(meaning, { id: "meaning", popover: "auto" });

  const tapped = (event) => {
    const word = event.target.closest('a[title][href*="glossary.html#"]');
    if (!word || meaning.contains(word) || matchMedia("(hover: hover)").matches) return;
    event.preventDefault();
    const more = Object.assign(document.createElement("a"), { href: word.href, textContent: "Glossary" });
    meaning.replaceChildren(`${word.textContent}: ${word.title} `, more);
    document.body.append(meaning);
    meaning.showPopover();
  };

  addEventListener("click", tapped);
}

// The link past the bar at the top moves the focus alone: the address may be that of a game.
addEventListener("click", (event) => {
  const skip = event.target.closest("a.hidden[href^='#']");
  if (!skip) return;
  event.preventDefault();
  const to = document.querySelector(skip.hash);
  to.tabIndex = -1;
  to.focus();
});
