/** The job that runs when a version begins; passes that were issued are looked at again (src/loyalty/wallet). */
export const versionBeginsJob = "loyalty:version-begins";
