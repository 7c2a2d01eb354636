const std = @import("std");

pub const limit: usize = 10;

pub const Item = struct {
    name: []const u8,

    pub fn sell(self: *Item) bool {
        return true;
    }
};

const Colour = enum { red, green };

pub fn total(items: []const Item) f64 {
    return 0;
}

test "total" {
    try std.testing.expect(true);
}
