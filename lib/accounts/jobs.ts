import { registerMail } from "@/lib/notifications/jobs";
import { findUsername, findVerificationMail } from "./queries";

registerMail("verification-code", { load: ({ codeId }) => findVerificationMail(String(codeId)) });

registerMail("welcome", {
  async load({ userId }) {
    const username = await findUsername(String(userId));
    return username === null ? null : { username };
  },
});
