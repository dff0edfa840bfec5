/** The calls about customers whose club has moved here, as method and path. */
export const listMoveCases = "GET office/move/case";
export const readMoveCase = "GET office/move/case/rows";
export const closeMoveCase = "POST office/move/case/close";

/** The calls that move a club in. */
export const listMoves = "GET office/move";
export const readMove = "GET office/move/run";
export const moveRejectedCsv = "GET office/move/rejected/csv";
export const moveReconciliationCsv = "GET office/move/reconciliation/csv";
export const startMove = "POST office/move/start";
export const uploadPackage = "POST office/move/upload";
/** An archive is uploaded in parts of so many bytes. */
export const uploadPartBytes = 512 * 1024;
