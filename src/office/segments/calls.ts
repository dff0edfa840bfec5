/** The back office's calls about segments, as method and path. */
export const listSegments = "GET office/segment";
export const countSegment = "GET office/segment/count";
export const readExamples = "GET office/segment/examples";
export const saveSegment = "POST office/segment";
export const archiveSegment = "POST office/segment/archive";
export const exportSegment = "GET office/segment/export";
