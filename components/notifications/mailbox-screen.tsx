import type { MailboxMail, MailboxPage } from "@/lib/notifications/contract";
import { MailboxFrame, MailboxTime } from "./mailbox-frame";

/** The local mailbox: the emails that the shop would have sent, newest first. */
export function MailboxScreen({ page: { mails, total, to } }: { page: MailboxPage }) {
  return (
    <MailboxFrame>
      <h1 className="text-28">Mailbox</h1>
      <p className="mt-2 max-w-text text-quiet">
        Every mail of this shop lands here and goes no further. The same as data:{" "}
        <a className="underline underline-offset-2" href={jsonUrl(to)}>
          mailbox.json
        </a>
      </p>
      <form action="/dev/mailbox" method="get" className="mt-6 flex max-w-column gap-2">
        <label htmlFor="to" className="sr-only">
          Recipient
        </label>
        <input
          id="to"
          name="to"
          type="search"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
          defaultValue={to}
          placeholder="Address of the recipient"
          className="control min-w-0 flex-1"
        />
        <button type="submit" className="button button-secondary">
          Filter
        </button>
      </form>
      <p className="mt-6 text-13 text-quiet figures" role="status">
        {countText({ mails, total, to })}
        {to && (
          <>
            {" "}
            <a className="underline underline-offset-2" href="/dev/mailbox">
              Show all
            </a>
          </>
        )}
      </p>
      {mails.length === 0 ? <Empty filtered={to !== ""} /> : <List mails={mails} />}
    </MailboxFrame>
  );
}

const jsonUrl = (to: string) => (to ? `/dev/mailbox.json?to=${encodeURIComponent(to)}` : "/dev/mailbox.json");

function countText({ mails, total, to }: MailboxPage): string {
  const count = mails.length === 1 ? "1 mail" : `${mails.length} mails`;
  if (to) return `${count} to ${to}.`;
  return mails.length < total ? `The newest ${mails.length} of ${total} mails.` : `${count}.`;
}

function List({ mails }: { mails: MailboxMail[] }) {
  return (
    <ul className="mt-2 border-t border-hairline">
      {mails.map((mail) => (
        <li key={mail.id} className="relative border-b border-hairline py-4 hover:bg-raised">
          <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <a href={`/dev/mailbox/${mail.id}`} className="min-w-0 font-medium after:absolute after:inset-0">
              <span lang={mail.locale || undefined}>{mail.subject}</span>
            </a>
            <MailboxTime at={mail.at} />
          </div>
          <p className="mt-1 flex flex-wrap gap-x-3 text-13 text-quiet">
            <span className="min-w-0 break-all">{mail.to}</span>
            <span>
              {mail.event} · {mail.locale}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function Empty({ filtered }: { filtered: boolean }) {
  return (
    <div className="mt-2 border-t border-hairline py-14 text-center">
      <h2 className="text-21">{filtered ? "No mail to this address" : "No mail yet"}</h2>
      <p className="mt-2 text-quiet">
        {filtered
          ? "A mail appears within a few seconds of its cause. Reload to look again."
          : "Register an account or place an order, then look again."}
      </p>
    </div>
  );
}
