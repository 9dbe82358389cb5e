import { decisionMail } from "./application-decision";

export const applicationRefusedMail = decisionMail("refused");
