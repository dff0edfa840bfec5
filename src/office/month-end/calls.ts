/** The back office's calls about month end, as method and path. */
export const readMonthEnd = "GET office/month-end";
export const monthEndCsv = "GET office/month-end/csv";
export const draftMonth = "POST office/month-end/draft";
export const chooseRedemption = "POST office/month-end/redemption";
export const closeMonth = "POST office/month-end/close";
