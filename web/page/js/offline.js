// Let the browser keep the site for the next visit, and for one without a network: only over HTTPS, and
// at home.
navigator.serviceWorker?.register(new URL("../sw.js", import.meta.url)).catch(({ message }) => console.info(message));
