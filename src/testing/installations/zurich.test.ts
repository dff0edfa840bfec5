import { testInstallation } from "./installation.test.server.ts";

await testInstallation({ Currency: "CHF", TimeZone: "Europe/Zurich" }, ["2027-03-28", "2027-10-31", "2028-02-29"]);
