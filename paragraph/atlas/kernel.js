// The map's kernel on a page: it names each dot, from what the page holds of it, and says which is opened.

/** The bytes of a trait, as Python packs them. */
function bytesOf(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}

function kernelOf({ packed, described }, state, give) {
  for (const [name, text] of Object.entries(packed)) give({ [name]: bytesOf(text) });

  function hover({ row }) {
    const [sentence, facts] = described[row];
    give({ pointed: { row, sentence, facts } });
  }

  return { hover, open: ({ row }) => give({ opened: { row } }) };
}
