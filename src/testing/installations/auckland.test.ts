import { testInstallation } from "./installation.test.server.ts";

await testInstallation({ Currency: "JPY", TimeZone: "Pacific/Auckland" }, ["2027-04-04", "2027-09-26", "2028-02-29"]);
