// The theme of all pages: light, dark, or that of the system. The documentation keeps it, too, and
// under the same name. This is no module, so that it works before the page is drawn.
{
  const THEMES = ["Auto", "Light", "Dark"];
  const root = document.documentElement;

  // The theme that the browser keeps.
  const kept = () => {
    try {
      const theme = localStorage.getItem("theme");
      return theme === "light" || theme === "dark" ? theme : "auto";
    } catch {
      return "auto";
    }
  };

  // Let the page have a theme, and the control say so.
  const use = (theme) => {
    root.dataset.theme = theme;
    const control = document.querySelector("#theme");
    if (control) control.value = theme;
  };

  // Choose a theme for all pages.
  const choose = ({ target }) => {
    use(target.value);
    try {
      localStorage.setItem("theme", target.value);
    } catch {
      // The page alone has the theme.
    }
  };

  // Put the control into the bar at the top.
  const mount = () => {
    const control = document.createElement("select");
    Object.assign(control, { id: "theme", title: "Theme" });
    control.setAttribute("aria-label", "Theme");
    control.append(...THEMES.map((word) => new Option(word, word.toLowerCase())));
    control.addEventListener("change", choose);
    document.querySelector(".top").append(control);
    use(root.dataset.theme);
  };

  use(kept());
  addEventListener("DOMContentLoaded", mount);
  addEventListener("storage", () => use(kept()));
  addEventListener("pageshow", ({ persisted }) => persisted && use(kept()));
}
