/** The back office's calls about metrics, as method and path. */
export const readMetrics = "GET office/figures";
export const metricsCsv = "GET office/figures/csv";
