// What whoever leads a team sees: how far each person is, how they agree, and what they differ on.

/** `say` hands a wish to Python. People stand in their order: none is better than another. */
function leadPage(say) {
  let table = null;
  const overview = html`<section></section>`;
  const people = html`<section></section>`;
  const disputes = html`<section></section>`;
  const message = html`<p role="status"></p>`;
  const stop = html`<button @click=${() => say({ stop: !table.stopped })}></button>`;
  const drawn = new Map(); // what each part shows

  /** Draw a part again if what it shows is another. */
  function draw(part, facts, contents) {
    const text = JSON.stringify(facts);
    if (drawn.get(part) !== text) refill(part, contents(facts));
    drawn.set(part, text);
  }

  function whereIs({ here, address }) {
    if (here) return "here";
    return address ? "not yet" : "away";
  }
  const row = ({ name, decided, moot, skipped, ...person }) =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${decided + moot}</td>
      <td>${skipped}</td>
      <td>${whereIs(person)}</td>
      <td><button @click=${() => say({ renew: name })}>New address</button></td>
    </tr>`;

  const peopleTable = (rows) =>
    html`<h2>People</h2>
      <table>
        <tr>
          ${["name", "answered", "skipped", "", ""].map((text) => html`<th scope="col">${text}</th>`)}
        </tr>
        ${rows.map(row)}
      </table>
      <dl>
        ${terms(
          rows
            .filter(({ address }) => address)
            .map(({ name, address }) => [name, html`<output>${address}</output>`])
        )}
      </dl>`;

  const dispute = ({ number, pair, why }) =>
    html`<li>
      ${pair.map((text) => html`<span class="pg-sentence" dir="auto">${text}</span>`)}
      <small>${why}</small>
      ${number && html`<a target="_blank" href=${`${location.hash}/${number}`}>Settle #${number}</a>`}
    </li>`;

  const disputeList = (all) =>
    html`<h2>Disputes</h2>
      ${
        all.length
          ? html`<ul>
              ${all.map(dispute)}
            </ul>`
          : html`<p>Nothing that two people answered differs.</p>`
      }`;

  function progress({ done, total, each, agreement, estimate }) {
    const [figures, about = ""] = estimate;
    return html`<p>
        <progress aria-label="Answered" max=${Math.max(1, total)} value=${done}></progress>
        ${done.toLocaleString()} of ${total.toLocaleString()} answered${each > 1 ? ` by ${each}` : ""}
      </p>
      ${figures && html`<p><b>${figures}</b><br /><small>${about}</small></p>`}
      <dl>${terms(agreement)}</dl>`;
  }

  function show(page, news, banner) {
    if (!table) {
      refill(
        page,
        html`<div class="pg-team">${banner}${overview}${message}${stop}${people}${disputes}</div>`
      );
    }
    table = news;
    const { people: rows, disputes: all, stopped, ...figures } = table;
    stop.textContent = stopped ? "Ask on" : "Stop asking";
    draw(overview, figures, progress);
    draw(people, rows, peopleTable);
    draw(disputes, all, disputeList);
  }

  function heard({ refused = "" }) {
    message.textContent = refused;
  }

  return { show, heard, isShown: () => table !== null };
}
