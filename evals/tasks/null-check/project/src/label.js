/** What is printed on a parcel. */
export function label(order) {
  const { name, address } = order.customer;
  return [name.toUpperCase(), address.street, address.city].join("\n");
}
