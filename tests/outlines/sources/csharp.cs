using System;

namespace Shop
{
    public interface ISeller
    {
        int Sell(string name);
    }

    [Serializable]
    public class Store : ISeller
    {
        public const int Limit = 10;

        public string Name { get; set; }

        public Store(string name)
        {
            Name = name;
        }

        public int Sell(string name) => 1;
    }

    public record Point(int X, int Y);

    public struct Pair
    {
        public int A;
    }

    enum Colour { Red, Green }

    delegate void Changed(int count);
}
