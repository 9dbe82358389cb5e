import { decideApplication } from "@/lib/merchants/commands";
import { findApplication, listApplications } from "@/lib/merchants/queries";
import {
  moment,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
  sheet,
  table,
  textOf,
} from "./staff-command";

async function decide({ args, options, by }: StaffCall, state: "approved" | "refused") {
  const [id = ""] = args;
  const note = textOf(options.note);
  const decided = await decideApplication(id, { state, decidedBy: by, ...(note && { note }) });
  if (!decided) throw new StaffCommandError(`There is no application ${id}.`);
  if (decided.state !== state)
    throw new StaffCommandError(`The application ${id} is ${decided.state} already.`);
  const done = decided.outcome === "decided";
  return {
    text: done
      ? `The application of ${decided.email} is ${state}; the applicant is told by mail.`
      : `The application of ${decided.email} was ${state} before; nothing was changed.`,
    json: { id, ...decided },
  };
}

/** Merchants' applications: read, approve, refuse (docs/product.md#813-merchants). */
export const applications: StaffNoun = {
  list: {
    usage: "[--all]",
    what: "those that wait for an answer, the oldest first; --all: the decided ones too",
    args: 0,
    options: { all: { type: "boolean" } },
    async run({ options }) {
      const found = await listApplications({ all: options.all === true });
      const rows = found.map((one) => [one.id, one.state, moment(one.createdAt), one.email, one.productUrl]);
      return {
        text: table(["id", "state", "filed", "address", "product"], rows, "No application is waiting."),
        json: found,
      };
    },
  },
  show: {
    usage: "ID",
    what: "everything about one",
    args: 1,
    async run({ args: [id = ""] }) {
      const one = await findApplication(id);
      if (!one) throw new StaffCommandError(`There is no application ${id}.`);
      const source = Object.entries(one.source ?? {}).map(([name, value]) => `${name}=${value}`);
      return {
        text: sheet([
          ["id", one.id],
          ["state", one.state],
          ["address", one.email],
          ["product", one.productUrl],
          ["phone", one.phoneNum],
          ["language", one.locale],
          ["came from", source.join(" ")],
          ["filed", moment(one.createdAt)],
          ["decided", moment(one.decidedAt)],
          ["by", one.decidedBy ?? ""],
          ["note", one.note ?? ""],
        ]),
        json: one,
      };
    },
  },
  approve: {
    usage: 'ID [--note "…"]',
    what: "approves it and tells the applicant",
    args: 1,
    options: { note: { type: "string" } },
    run: (call) => decide(call, "approved"),
  },
  refuse: {
    usage: 'ID --note "…"',
    what: "refuses it and tells the applicant why",
    args: 1,
    options: { note: { type: "string" } },
    needs: ["note"],
    run: (call) => decide(call, "refused"),
  },
};
