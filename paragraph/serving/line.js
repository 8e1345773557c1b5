// The line of a page to the server that made it: one connection, over which the server proves first that it
// is the one. So whoever takes its port when it has ended is told nothing.

/** The pass of this page: what it says, once, and how only its server can answer. */
const pagePass = () => JSON.parse(document.getElementById("pass").textContent);

/** Open a line with a pass, and say `first` over it; `heard` takes each answer, `closed` whether anybody had
 * heard it once it ends. */
function openLine({ pass: [nonce, ask, proof], who = "", first, heard, closed }) {
  const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/line`);
  const send = (content) => socket.send(JSON.stringify(content));
  let isOpen = false;
  let isProven = false;
  socket.onopen = () => {
    isOpen = true;
    send({ who, nonce, ask });
  };
  socket.onclose = () => closed(isOpen);
  socket.onmessage = ({ data }) => {
    const said = JSON.parse(data);
    if (isProven) return heard(said);
    if (said.proof !== proof) return socket.close();
    isProven = true;
    send(first);
  };
  return send;
}
