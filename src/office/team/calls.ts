/** The calls about staff, the audit log and look-ups of customers, as method and path. */
export const listStaff = "GET office/staff";
export const invitePerson = "POST office/staff/invite";
export const changeRole = "POST office/staff/role";
export const endPerson = "POST office/staff/end";
export const unlockPerson = "POST office/staff/unlock";
export const readAudit = "GET office/audit";
export const auditCsv = "GET office/audit/csv";
export const readLookUps = "GET office/look-ups";
