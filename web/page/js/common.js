// The link past the bar at the top moves the focus alone: the address may be that of a game.
addEventListener("click", (event) => {
  const skip = event.target.closest("a.hidden[href^='#']");
  if (!skip) return;
  event.preventDefault();
  const to = document.querySelector(skip.hash);
  to.tabIndex = -1;
  to.focus();
});

// Say once that a script did not come. Its error is told to nobody but those who catch it on its way.
function sayMissing({ target }) {
  if (target.localName !== "script") return;
  removeEventListener("error", sayMissing, true);
  const again = document.createElement("button");
  again.textContent = "Try again";
  again.addEventListener("click", () => location.reload());
  const trouble = document.createElement("p");
  trouble.className = "error";
  trouble.role = "alert";
  trouble.append("A script of this page did not come. ", again);
  const show = () => document.querySelector("main, article").prepend(trouble);
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", show);
  else show();
}
addEventListener("error", sayMissing, true);
