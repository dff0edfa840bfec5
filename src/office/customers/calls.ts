/** The back office's calls about customers, as method and path. */
export const findCustomers = "GET office/customers";
export const customersCsv = "GET office/customers/csv";
export const readCustomer = "GET office/customer";
export const readTimeline = "GET office/customer/timeline";
export const adjustPoints = "POST office/customer/points";
export const giveVoucher = "POST office/customer/voucher";
export const sendLetter = "POST office/customer/letter";
export const blockCustomer = "POST office/customer/block";
export const unblockCustomer = "POST office/customer/unblock";
export const endSessions = "POST office/customer/sessions/end";
export const exportCustomer = "POST office/customer/export";
export const eraseCustomer = "POST office/customer/erase";
export const previewMerge = "GET office/customer/merge";
export const mergeCustomers = "POST office/customer/merge";
export const listApprovals = "GET office/approvals";
export const approveRequest = "POST office/approval/approve";
export const declineRequest = "POST office/approval/decline";
