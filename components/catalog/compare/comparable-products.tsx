import { type ProductTicketsProps, useTicketGrid } from "@/components/catalog/listing/product-ticket";
import { ComparableTickets } from "./comparable-tickets";
import { useCompareLabels } from "./compare-labels";

/** Product tickets that can be chosen for the comparison. Apart from `ProductTickets`, so that other pages lack its code. */
export function ComparableProducts(props: ProductTicketsProps) {
  return <ComparableTickets {...useTicketGrid({ ...props, comparable: true })} labels={useCompareLabels()} />;
}
