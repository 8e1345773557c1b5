// The page of a person of a team, or of whoever leads it: it enters once, by the end of its address, and then
// comes back by the key that it keeps. `#NAME//ENTRY` lets in; `#NAME` comes back; `#NAME/12` opens #12.

const LOST = "No connection to the machine of the review. This page goes on by itself when it is back.";
const UNKNOWN = "This page opens with the address that was made for you: ask whoever leads the review.";

function teamPage() {
  const [name = "", at, entry] =
    orNull(() => location.hash.slice(1).split("/").map(decodeURIComponent)) ?? [];
  const page = document.getElementById("page");
  const banner = html`<div class="pg-banner" role="alert"></div>`;
  const served = servedModel((content) => line.say(content));
  const lead = leadPage((content) => line.say(content));
  let isEntering = false;

  const number = () => served.model.get("case")?.item ?? (at ? Number(at) : undefined);
  const line = returningLine({
    kept: keptTexts(`paragraph-team ${name}`),
    first: () => (isEntering ? { who: name, entry } : null),
    more: () => ({ at: number() }),
    on: { entered, heard, refused, lost }
  });

  /** The secret of the address has done its work. */
  function entered() {
    banner.textContent = "";
    history.replaceState(null, "", `#${encodeURIComponent(name)}${at ? `/${at}` : ""}`);
  }

  function heard(news) {
    if (news.lead) return lead.show(page, news.lead, banner);
    if (lead.isShown()) return lead.heard(news);
    if (news.look) return served.model.send({ intent: "look" });
    const isFirst = !served.isThere();
    const isBack = served.model.get("gone");
    served.heard(news);
    if (isFirst) {
      refill(page);
      showPage(served.model);
    }
    if (isBack) served.again();
  }

  function refused(why) {
    if (!entry || isEntering) return refill(page, why);
    isEntering = false;
    askEntry();
  }

  function lost(why = LOST) {
    if (served.isThere()) return served.end(why);
    banner.textContent = why;
    if (!lead.isShown()) refill(page, banner);
  }

  function enter() {
    isEntering = true;
    line.connect();
  }

  const askEntry = () =>
    refill(
      page,
      html`<section class="pg-entry">
        <p>This address is for ${name}, and works once. From then on, this browser is known.</p>
        <button @click=${enter}>Enter as ${name}</button>
      </section>`
    );

  if (line.isKnown()) line.connect();
  else if (entry) askEntry();
  else refill(page, UNKNOWN);
}
teamPage();
