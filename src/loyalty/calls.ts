/** The club's calls, in the wire's own spelling. */
export const readProgramme = "GET loyalty/programme";
