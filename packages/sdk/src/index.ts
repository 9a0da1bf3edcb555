/** The client of the hub, for Node and browsers. */
export {}
