// Texts that a page keeps in its browser.

/** What an act returns; null where it fails. */
function orNull(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Texts kept in the browser; where there is no storage, or no room, until the page is closed. */
function keptTexts(place) {
  const here = new Map();
  const key = (name) => `${place} ${name}`;
  return {
    get: (name) => here.get(name) ?? orNull(() => localStorage.getItem(key(name))),
    /** Whether it stays when the page is closed. */
    set(name, text) {
      const stays = orNull(() => localStorage.setItem(key(name), text)) !== null;
      if (stays) here.delete(name);
      else here.set(name, text);
      return stays;
    }
  };
}
