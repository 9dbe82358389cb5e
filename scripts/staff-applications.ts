import { decideApplication } from "@/lib/merchants/commands-decide";
import { findApplication, listApplications } from "@/lib/merchants/queries";
import {
  formatFields,
  formatTable,
  formatTime,
  optionText,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
} from "./staff-command";

async function decide({ args, options, actor: by }: StaffCall, state: "approved" | "refused") {
  const [id = ""] = args;
  const note = optionText(options.note);
  const decided = await decideApplication(id, { state, by, ...(note && { note }) });
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
    description: "those that wait for an answer, the oldest first; --all: the decided ones too",
    args: 0,
    options: { all: { type: "boolean" } },
    async run({ options }) {
      const found = await listApplications({ all: options.all === true });
      const rows = found.map((one) => [
        one.id,
        one.state,
        formatTime(one.createdAt),
        one.email,
        one.productUrl,
      ]);
      return {
        text: formatTable(["id", "state", "filed", "address", "product"], rows, "No application is waiting."),
        json: found,
      };
    },
  },
  show: {
    usage: "ID",
    description: "everything about one",
    args: 1,
    async run({ args: [id = ""] }) {
      const one = await findApplication(id);
      if (!one) throw new StaffCommandError(`There is no application ${id}.`);
      const source = Object.entries(one.source ?? {}).map(([name, value]) => `${name}=${value}`);
      return {
        text: formatFields([
          ["id", one.id],
          ["state", one.state],
          ["address", one.email],
          ["product", one.productUrl],
          ["phone", one.phoneNum],
          ["language", one.locale],
          ["came from", source.join(" ")],
          ["filed", formatTime(one.createdAt)],
          ["decided", formatTime(one.decidedAt)],
          ["by", one.decidedBy ?? ""],
          ["note", one.note ?? ""],
        ]),
        json: one,
      };
    },
  },
  approve: {
    usage: 'ID [--note "…"]',
    description: "approves it and tells the applicant",
    args: 1,
    options: { note: { type: "string" } },
    run: (call) => decide(call, "approved"),
  },
  refuse: {
    usage: 'ID --note "…"',
    description: "refuses it and tells the applicant why",
    args: 1,
    options: { note: { type: "string" } },
    required: ["note"],
    run: (call) => decide(call, "refused"),
  },
};
