// The page of the board: the Lab lives in it, and the class in Python.

const OVER = "The class has ended. The same command goes on with it, if it keeps a file.";

async function showBoard(room) {
  const lab = await livingModel(JSON.parse(document.getElementById("data").textContent));
  showPage(lab);
  document.getElementById("page").before(boardBar(room, lab));
  const ended = () => html`<div class="pg-banner" role="alert">${room.get("gone")}</div>`;
  room.on("comm_live_update", () => document.querySelector("header").append(ended()));
}

servedModel(sessionStorage.secret ?? "", showBoard, failed, OVER);
