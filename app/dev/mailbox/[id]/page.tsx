import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { MailboxMailScreen } from "@/components/notifications/mailbox-screen";
import { findMailboxMail } from "@/lib/notifications/find-mailbox-mails";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ view?: string | string[] }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const mail = await findMailboxMail((await params).id);
  return { title: mail?.subject ?? "Not found" };
}

export default async function MailboxMailPage({ params, searchParams }: Props) {
  const mail = await findMailboxMail((await params).id);
  if (!mail) notFound();
  return <MailboxMailScreen mail={mail} view={[(await searchParams).view].flat()[0]} />;
}
