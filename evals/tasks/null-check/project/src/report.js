import { discountOf } from "./discount.js";

/** What was sold in each city, in cents. */
export function salesByCity(orders) {
  const sales = {};
  for (const order of orders) {
    const city = order.customer.address.city;
    sales[city] = (sales[city] ?? 0) + totalOf(order);
  }
  return sales;
}

/** An order's total in cents, less the customer's discount. */
export function totalOf(order) {
  const sum = order.items.reduce((all, { price, quantity }) => all + price * quantity, 0);
  return Math.round(sum * (1 - discountOf(order.customer)));
}
