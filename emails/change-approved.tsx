import { changeMail } from "./change-decision";

export const changeApprovedMail = changeMail("approved");
