// Names that a page has besides those of these files.

/** The colours of a column of numbers, from Python. */
declare const RAMP: string[];
/** Of the room of a paper, which marks words in place of a pair. */
declare const wordMarks: (bench: any) => any;
