import { decideApplication } from "@/lib/merchants/decide-application";
import { findApplication, listApplications } from "@/lib/merchants/list-applications";
import {
  decisionText,
  formatFields,
  formatTime,
  listVerb,
  refusedDecision,
  SEEN,
  type StaffCall,
  StaffCommandError,
  type StaffNoun,
} from "./command";

async function decide(
  { id, values: { note, handle, name, version }, actor }: StaffCall,
  state: "approved" | "refused",
) {
  const merchant = handle && { merchant: { handle, name: name ?? "" } };
  const decided = await decideApplication(id, {
    state,
    decidedBy: actor,
    shown: { version },
    ...(note && { note }),
    ...merchant,
  }).catch(refusedDecision);
  if (!decided) throw new StaffCommandError(`There is no application ${id}.`);
  if (decided.state !== state)
    throw new StaffCommandError(`The application ${id} is ${decided.state} already.`);
  const subject = `The application of ${decided.email}`;
  const isNew = decided.outcome === "decided";
  const text = decisionText(subject, state, isNew, "; the applicant is notified by email");
  return { text, json: { id, ...decided } };
}

/** Merchants' applications: read, approve, refuse (docs/product.md#813-merchants). */
export const applications: StaffNoun = {
  list: listVerb({
    usage: "[--all]",
    description: "lists the applications that wait for an answer, the oldest first; --all: decided ones too",
    options: { all: "flag" },
    find: (flags) => listApplications({ all: flags.has("all") }),
    columns: {
      id: (application) => application.id,
      version: (application) => application.version,
      state: (application) => application.state,
      filed: (application) => formatTime(application.createdAt),
      address: (application) => application.email,
      product: (application) => application.productUrl,
    },
    emptyText: "No application is waiting.",
  }),
  show: {
    usage: "ID",
    description: "shows an application",
    async run({ id }) {
      const application = await findApplication(id);
      if (!application) throw new StaffCommandError(`There is no application ${id}.`);
      const source = Object.entries(application.source ?? {}).map(([name, value]) => `${name}=${value}`);
      return {
        text: formatFields([
          ["id", application.id],
          ["version", application.version],
          ["state", application.state],
          ["address", application.email],
          ["product", application.productUrl],
          ["phone", application.phoneNum],
          ["language", application.locale],
          ["came from", source.join(" ")],
          ["filed", formatTime(application.createdAt)],
          ["decided", formatTime(application.decidedAt)],
          ["by", application.decidedBy ?? ""],
          ["note", application.note ?? ""],
        ]),
        json: application,
      };
    },
  },
  approve: {
    usage: 'ID --version VERSION [--note "…"] [--handle HANDLE [--name "…"]]',
    description: "approves it, makes its merchant, and invites the applicant as owner",
    options: { ...SEEN, note: "optional", handle: "optional", name: "optional" },
    run: (call) => decide(call, "approved"),
  },
  refuse: {
    usage: 'ID --version VERSION --note "…"',
    description: "refuses it and notifies the applicant of the reason",
    options: { ...SEEN, note: "required" },
    run: (call) => decide(call, "refused"),
  },
};
