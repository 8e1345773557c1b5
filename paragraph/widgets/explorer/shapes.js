// The shapes of what the files of the Explorer pass to each other; comments alone, for `tsc` (`make lint`).

/** A screen: the open cluster, the view, the clusters shown as sentences, the sentences to be drawn.
 * @typedef {{ cluster: number | null, view: "cluster" | "clusters", opened: number[],
 *   wanted: number[] }} Shown
 */

/** A query of the list: words, bounds `[least, most]` of columns, kind of conflict, order, clusters of the
 * map.
 * @typedef {{ words: string, bounds: Record<string, [number | null, number | null]>, kind: string,
 *   sort: string, descending: boolean, only: number[] | null }} Query
 */

/** What a page has before it asks anything: of the graph, the list as columns of numbers. A
 * saved page has records and labels besides.
 * @typedef {{ bipartite: boolean, table: boolean, words: [string, string],
 *   start: Query, nobody: string, choices: string[][], columns: any, isPage?: boolean, records?: any[],
 *   edges?: any[], id?: string }} Data
 */

/** The traits: `screen` to `selected` are set by Python as well, the others made here for the page.
 * @typedef {{ screen: Shown, query: Query, layers: any,
 *   placed: Record<string, [number, number]>, selected: string[], prefetched: any, shown: any, decided: any,
 *   desk: any, why: any, listing: any, picture: any }} State
 */

/** The records that a keeper is asked for: of clusters `open`, in brief of those `near`, of those of `nodes`;
 * with the `wanted` sentences among those that are drawn.
 * @typedef {{ open?: number[], near?: number[], nodes?: number[], wanted?: number[] }} Wanted
 */

/** Whoever answers the questions of a page (see `keeper.js`); a kernel by promises.
 * @typedef {{ clusters(wanted: Wanted): any, search(words: string): any,
 *   names(ids: number[], words: string): any,
 *   decide(answer: any): any, undo(): any, take?(records: any): void, stop?(): void,
 *   follows?(a: number, b: number): any, decided?(): any, sign?(name: string): any,
 *   handIn?(): void }} Keeper
 */

/** What the parts of a page share; `scene` is what is drawn. A review marks its lines by `marked`, and draws
 * neighbouring clusters only up to `neighboursMost`.
 * @typedef {{ data: Data, state: State, give(changes: object): void, graph: ReturnType<typeof signedGraph>,
 *   keeper: Keeper, list?: ReturnType<typeof listOf>, scene: any,
 *   neighboursMost?: number, marked?(lines: any[], sentences: any[]): any[],
 *   decisions: { isOn?(): boolean, look(changes: object): void, marks(scene: any, picture: any): object,
 *     foresee(): Promise<any[]> } }} Page
 */
