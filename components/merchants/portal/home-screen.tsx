import { ConsoleHeader } from "@/components/console/page-header";

/** The first page of a merchant's console. */
export function MerchantHomeScreen({ name }: { name: string }) {
  return <ConsoleHeader title={name} />;
}
