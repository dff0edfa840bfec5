import { testInstallation } from "./installation.test.server.ts";

await testInstallation({ Currency: "KWD", TimeZone: "America/New_York" }, ["2027-03-14", "2027-11-07", "2028-02-29"]);
