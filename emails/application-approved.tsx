import { decisionMail } from "./application-decision";

export const applicationApprovedMail = decisionMail("approved");
