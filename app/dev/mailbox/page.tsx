import { notFound } from "next/navigation";
import { MailboxScreen } from "@/components/notifications/mailbox-screen";
import { findMailboxPage } from "@/lib/notifications/find-mailbox-mails";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function MailboxPage({ searchParams }: Props) {
  const page = await findMailboxPage(await searchParams);
  if (!page) notFound();
  return <MailboxScreen page={page} />;
}
