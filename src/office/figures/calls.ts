/** The back office's calls about figures, as method and path. */
export const readFigures = "GET office/figures";
export const figuresCsv = "GET office/figures/csv";
