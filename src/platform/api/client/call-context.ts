import { createContext } from "react-router";
import { browserCall, type Call } from "./client.ts";

declare module "react-router" {
  interface Future {
    v8_middleware: true;
  }
}

/** The client of loaders and actions; the server sets its in-process one. Apart from the client: till and sign-in of the back office have no router. */
export const callContext = createContext<Call>(browserCall);
