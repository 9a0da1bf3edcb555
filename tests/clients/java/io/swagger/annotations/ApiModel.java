package io.swagger.annotations;

/** What generated classes say of themselves; this stands in for a library that Debian lacks. */
public @interface ApiModel {
  String value() default "";

  String description() default "";
}
