// Names that a page has besides those of these files.

// The table that Python, JavaScript and CSS share: `draw/shared.json`.
declare const LIGHT: Record<string, string>;
declare const DARK: Record<string, string>;
declare const CAMPS: string[];
declare const SPACING: number;
declare const NUMBERED: number;
declare const PAGE: number;
declare const LISTED: number;
declare const NEIGHBOURS: number;
declare const OPEN: number;
declare const STILL: number;
declare const ON_TABLE: number;
/** Of the room of a paper, which marks words in place of a pair. */
declare const wordMarks: (bench: any) => any;
