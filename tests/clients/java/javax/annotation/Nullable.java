package javax.annotation;

/** What generated classes say of their fields; this stands in for a library. */
public @interface Nullable {}
