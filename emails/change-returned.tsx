import { changeMail } from "./change-decision";

export const changeReturnedMail = changeMail("returned");
