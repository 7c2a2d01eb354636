#include <vector>

namespace shop {

constexpr int limit = 10;

template <typename T>
class Box : public Base {
public:
    explicit Box(T value) : value_(value) {}
    T get() const { return value_; }
    void put(T value);

private:
    T value_;
};

template <typename T>
void Box<T>::put(T value) {
    value_ = value;
}

enum class Colour { Red, Green };

using Numbers = std::vector<int>;

}  // namespace shop

int main(int argc, char **argv) {
    return 0;
}
