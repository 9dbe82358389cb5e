import { changeMail } from "./change-decision";

export const changeRefusedMail = changeMail("refused");
