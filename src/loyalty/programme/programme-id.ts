/** The programme of every page and call; the specification knows one. */
export const defaultProgrammeId = 4 as const;
